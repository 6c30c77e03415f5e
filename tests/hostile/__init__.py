"""Folders, files and traces of somebody who means harm."""
