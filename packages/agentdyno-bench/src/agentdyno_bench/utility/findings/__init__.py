"""Measures which calls helped: efficiency, utility by tool and position, streaks, advice.

Takes judged calls, returns numbers with intervals. Knows nothing of judges, files or prices.
Source: Eta Given Delta, sections 3 and 4.
"""
