-- What was told at the act: beside a tool, not with a prompt.

create table told_at_act (
  -- One row per memory that a session was told right before, or after, a tool ran: it is not told there again until
  -- the host makes its prompt anew. Old rows are dropped when new ones come.
  memory_id  integer not null references memory (id) on delete cascade,
  session    text not null,   -- the host's name of the session
  subject    text not null,   -- the file or the command that it was about, cut
  told_at    integer not null, -- ms UTC
  primary key (session, memory_id),
  constraint telling_belongs_to_a_session check (session <> '')
) strict, without rowid;
