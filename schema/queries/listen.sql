-- Auto-capture: called by cogmem/hear/listen.py.

-- name: version()
-- Changes when another connection writes: a compiled rule may be out of date then.
select data_version from pragma_data_version

-- name: rules()
-- The rules in the columns that matching wants.
select name, family, language, position, pattern, veto, kind, priority, polarity, confidence, state, outcome, example,
       counter_example, is_enabled, is_own
  from capture_rule order by name

-- name: describe()
-- The rules for people, in the order in which they are tried.
select name, family, language, position, pattern, veto, kind, priority, polarity, confidence, state, outcome,
       example, counter_example, is_enabled, is_own
  from capture_rule
 order by case family when 'remember' then 0 when 'constraint' then 1 when 'correction' then 2 when 'preference' then 3 else 4 end,
          position, name

-- name: add(name, family, language, position, pattern, veto, kind, priority, polarity, confidence, state, outcome, example, counter_example, is_enabled)
-- A rule of one's own.
insert into capture_rule (name, family, language, position, pattern, veto, kind, priority, polarity, confidence, state,
                          outcome, example, counter_example, is_enabled)
values (:name, :family, :language, :position, :pattern, :veto, :kind, :priority, :polarity, :confidence, :state,
        :outcome, :example, :counter_example, :is_enabled)

-- name: enable(name, is_enabled)
-- Into use, or out of it.
update capture_rule set is_enabled = :is_enabled where name = :name

-- name: shown_last(session, limit)
-- The best memories that the latest turn of a session was shown for its prompt.
select {ref i} as ref
  from (select activation_id from weighing where session = :session and session <> '' order by activated_at desc, activation_id desc limit 1) w
  join weighing a on a.activation_id = w.activation_id
  join json_each(a.items) i on i.value ->> 5 is null and {ref i} glob 'mem_*'
 order by i.value ->> 1 = 'A', i.value ->> 8 desc, ref limit :limit

-- name: refresh(uid, now)
-- "Remember this": the decay timer starts anew.
update memory set reinforced_at = max(reinforced_at, :now) where uid = :uid

-- name: is_any_way()
-- Whether a procedure is held at all: most messages name none.
select 1 from kind k cross join memory m indexed by memory_by_state on m.kind = k.name and m.state = 'active'
 where k.layer = 'procedural' limit 1
