"""The store: one Redis or Valkey, one code path; it knows matches as records and players as ids, and no socket."""
