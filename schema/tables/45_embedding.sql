-- Vectors, for those who add an embedder. Made from content, but kept by `rebuild`, since they cost time or money.

create table embedding (
  -- One row per text and model: equal texts share a vector.
  content_hash  text not null,   -- memory.content_hash or message.content_hash
  model         text not null,
  vector        blob not null,   -- little-endian float32, unit length
  created_at    integer not null, -- ms UTC
  primary key (content_hash, model)
) strict, without rowid;
