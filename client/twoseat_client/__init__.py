"""The clients: a thin terminal client and the page; they show what the server says and know no rules."""
