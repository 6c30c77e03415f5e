"""Questions over a ledger's tables: frames in, a typed result out.

No sentence, no chart, no file.
"""
