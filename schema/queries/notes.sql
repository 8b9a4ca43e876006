-- What a session says of itself between its turns: called by cogmem/conversation/sessions.py.

-- name: add_line(name, runtime, user, project, line, capacity)
-- One more line in the buffer; beyond its capacity the oldest go. One statement, so that no line is lost.
update session set buffer = case
   when json_array_length(buffer) < :capacity then json_insert(buffer, '$[#]', :line)
   else json_remove(json_insert(buffer, '$[#]', :line), '$[0]') end
 where (name, runtime, user, project) = (:name, :runtime, :user, :project)

-- name: set_buffer(name, runtime, user, project, buffer)
-- The whole buffer: restored, or emptied.
update session set buffer = :buffer where (name, runtime, user, project) = (:name, :runtime, :user, :project)

-- name: pin(name, runtime, user, project, text)
-- The one pinned text; a new one replaces it, an empty one clears it.
update session set pinned = :text where (name, runtime, user, project) = (:name, :runtime, :user, :project)

-- name: read(name, runtime, user, project)
-- What is kept for a session.
select buffer, pinned, turn_count, started_at, ended_at from session
 where (name, runtime, user, project) = (:name, :runtime, :user, :project)
