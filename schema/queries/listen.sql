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
select i.ref from activation_item i
 where i.activation_id = (select id from activation where session = :session and session <> '' order by activated_at desc, id desc limit 1)
   and i.stage = 'chosen' and i.ref glob 'mem_*'
 order by i.layer = 'A', i.score desc, i.ref limit :limit

-- name: refresh(uid, now)
-- "Remember this": the decay timer starts anew.
update memory set reinforced_at = max(reinforced_at, :now) where uid = :uid
