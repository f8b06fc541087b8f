"""Writes the documents that follow from the code: the protocol and the table of settings; no server or client needs it.

`./dev docs` runs it; a test compares what it would write with what is there.
"""
