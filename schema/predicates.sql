-- The sentences that everything shares, each said once. A statement of queries/, derived/ or jobs/ writes
-- `{visible m}`; cogmem/file/sql.py puts in its place what stands here, with `m` for `{m}`. What a file of yours
-- holds is written out: `sqlite3 memory.db .schema`. A sentence may use others.

-- name: visible(m)
-- Who sees a memory. An empty column means everyone. `own` and `shared` are the two partitions of a user's sight, both
-- on unless a caller narrows them; `everywhere` is for administration (list, stats, export) only. What a branch of the
-- project learned has 'branch ' and its name for a session.
(:everywhere or ({m}.runtime in ('', :runtime)
  and ({m}.user = '' and :shared or {m}.user <> '' and {m}.user = :user and :own)
  and {m}.project in ('', :project) and {m}.session in ('', :session, :branch)))

-- name: data(m)
-- What a memory has in data, or null where the value is broken: a damaged value costs its own row, not the answer.
(case when json_valid({m}.data) then {m}.data end)

-- name: shown(a)
-- What a turn was given, or null where the value is broken.
(case when json_valid({a}.shown) then {a}.shown end)

-- name: decided_on(uid)
-- The latest change of a memory that a decision rests on. That it was recalled is none: counts may be written at any time,
-- also by the process that decides.
(select max(c.id) from change c where c.uid = {uid} and c.verb is not 'recall')

-- name: listed(m)
-- The plain filters of a list; what was removed or has expired is listed only when asked for.
(:layer is null or {m}.layer = :layer) and (:kind is null or {m}.kind = :kind)
   and (:state is null and {m}.state <> 'deleted' or {m}.state = :state or :state = 'expired' and {m}.state = 'active')
   and ({m}.state <> 'active' or ({m}.expires_at is not null and {m}.expires_at <= :now) = (coalesce(:state, '') = 'expired'))
   and (:tag is null or exists (select 1 from json_each(case when json_valid({m}.tags) then {m}.tags else '[]' end) where value = :tag))
   and (:path_glob is null or {m}.path_glob = :path_glob)
   and (:since is null or {m}.created_at >= :since) and (:until is null or {m}.created_at < :until)
   and {visible {m}}

-- name: in_a_page(m)
-- What a list in the browser shows of a memory.
{m}.id, {m}.uid, {m}.kind, substr({m}.content, 1, 400) as content, {m}.state, {m}.user, {m}.project, {m}.priority,
       {m}.source, {m}.path_glob, {m}.created_at, {m}.updated_at, {m}.archive_reason,
       exists (select 1 from fact g where g.memory_id = {m}.id and g.superseded_by is not null) as is_replaced,
       {line_of {m}}

-- name: asked_of_a_page(m)
-- The filters of such a list. '' leaves a filter out; 'living' is all that was not removed.
({m}.state = :state or :state = '' or :state = 'living' and {m}.state <> 'deleted')
   and (:layer = '' or {m}.layer = :layer) and (:kind = '' or {m}.kind = :kind)
   and (:user = '' or {m}.user = :user) and (:project = '' or {m}.project = :project)

-- name: heard(c)
-- Who hears a conversation. It has no session column: what was said in one session is evidence in the next.
(:everywhere or ({c}.runtime in ('', :runtime)
  and ({c}.user = '' and :shared or {c}.user <> '' and {c}.user = :user and :own)
  and {c}.project in ('', :project)))

-- name: owner(c)
-- Whose the memory of a change is: the scope of its row, or of one that is gone, as it was when it went.
(select b.runtime, b.user, b.project, b.session from memory b where b.uid = {c}.uid
  union all select * from (
    select json_extract(g.before, '$.runtime') as runtime, json_extract(g.before, '$.user') as user,
           json_extract(g.before, '$.project') as project, json_extract(g.before, '$.session') as session
      from change g where g.uid = {c}.uid and g.record = 'memory' and g.action = 'delete'
     order by g.id desc limit 1) limit 1)

-- name: told(c)
-- Who sees a change: whoever sees its memory. Kinds, settings and capture rules are everyone's.
(:everywhere or {c}.record in ('kind', 'setting', 'gate_weight', 'capture_rule')
  or exists (select 1 from {owner {c}} o where {visible o}))

-- name: holds(text)
-- A text in which one of these phrases stands.
exists (select 1 from json_each(:phrases) p where instr(lower({text}), lower(p.value)))

-- name: lasting(f)
-- A fact that nothing has ended: no successor took its place, and it has no end of its own. A memory without a fact lasts.
{f}.superseded_by is null and {f}.valid_to is null

-- name: going_on(f, at)
-- A fact that is not over at an instant. It may still be ahead.
{f}.superseded_by is null and ({f}.valid_to is null or {f}.valid_to > {at})

-- name: held_now(m, f, at)
-- A memory that holds at an instant: it was learned by then, what it says has begun and is not over, and it has not expired. Of an episode or a
-- procedure `f` is empty, and only the last counts.
{going_on {f}, {at}} and ({f}.valid_from is null or {f}.valid_from <= {at})
  and ({m}.expires_at is null or {m}.expires_at > {at}) and {m}.created_at <= {at}

-- name: held_then(m)
-- What was held true at :valid_at, as it was known at :known_at. A fact that was closed by a successor learned after
-- :known_at was not closed then; one that was never true has no time at all.
({m}.created_at <= :known_at and ({m}.layer <> 'semantic' or exists (
  select 1 from fact h where h.memory_id = {m}.id and h.recorded_at <= :known_at
     and (h.valid_from is null or h.valid_from <= :valid_at)
     and (h.valid_to is null or h.valid_to > :valid_at or h.superseded_by is not null
          and (select s.recorded_at from fact s where s.memory_id = h.superseded_by) > :known_at))))

-- name: rival(m, f)
-- A fact that a new one on its topic may have to close: of exactly its scope, and true at or after :since for a while.
({m}.runtime, {m}.user, {m}.project, {m}.session, {m}.path_glob) = (:runtime, :user, :project, :session, :path_glob)
   and {m}.state <> 'deleted' and ({f}.valid_to is null or {f}.valid_to > :since and {f}.valid_to > coalesce({f}.valid_from, 0))

-- name: item(m)
-- An item that an agent's program may read: of exactly its scope, confirmed and not over. The list of states is what the
-- index of keys covers.
({m}.runtime, {m}.user, {m}.project, {m}.session) = (:runtime, :user, :project, :session)
   and {m}.kind = :kind and {m}.state in ('candidate', 'active') and {m}.state = 'active'
   and ({m}.expires_at is null or {m}.expires_at > :now)

-- name: lookback(now)
-- How far back a night looks, for what recurs, what no episode tells yet and what somebody brought back: 90 days.
{now} - 7776000000

-- name: resting(now)
-- Until when the last must have been said of a conversation that a night tells as one episode: six hours ago.
({now} - 21600000)

-- name: last_use(m)
-- When a memory was last learned, repeated or recalled.
max({m}.reinforced_at, coalesce({m}.accessed_at, {m}.reinforced_at))

-- name: decay(age, half_life)
-- What is left of 1 after an age. A half-life of 0 never fades, an instant ahead counts as now. `halving` holds one
-- half-life in 64 steps, and each further one halves again; after 64 of them nothing is left.
(select d.factor * (past.steps < 4096) / (1 << past.steps / 128) / (1 << (past.steps + 64) / 128)
   from (select case {half_life} when 0 then 0 else min(4096, max(0, ({age}) * 64 / {half_life})) end as steps) past
   join halving d on d.step = past.steps % 64)

-- name: steps_to(share)
-- After how many steps less than a share of 1 is left: whole half-lives first, then the steps of the last one.
(select 64 * whole.n + (select step from halving where factor < ({share}) * (1 << whole.n) order by step limit 1)
   from (select min(62, max(0, (select step from halving where factor < {share} order by step limit 1) / 64 - 1))
           as n) whole)

-- name: strength(m, at)
-- Weight of its kind × decay × reinforcement.
(select h.weight * {decay {at} - {last_use {m}}, h.half_life_ms} * {m}.reinforcement_count
   from half_life h where h.kind = {m}.kind)

-- name: memory(m)
-- The columns of records.Memory, in its order, as seen at :now; the layer's own row comes as JSON.
{m}.uid, {m}.layer, {m}.kind, {m}.key, {m}.content, {m}.tags,
  {m}.runtime, {m}.user, {m}.project, {m}.session, {m}.path_glob,
  {m}.priority, {m}.source, {m}.trust, {m}.polarity, {m}.state,
  {m}.reinforcement_count, {m}.access_count, {m}.tokens, {m}.token_counter, {m}.data,
  {m}.created_at, {m}.updated_at, {m}.reinforced_at, {m}.accessed_at, {m}.expires_at,
  {m}.archived_at, {m}.archive_reason, round({strength {m}, :now}, 6) as strength,
  {ending_of {m}} as ending,
  coalesce(case {m}.layer
    when 'semantic' then (
      select json_object('topic', f.topic, 'valid_from', f.valid_from, 'valid_to', f.valid_to,
               'recorded_at', f.recorded_at, 'confidence', f.confidence,
               'superseded_by', (select n.uid from memory n where n.id = f.superseded_by))
        from fact f where f.memory_id = {m}.id)
    when 'episodic' then (
      select json_object('outcome', e.outcome, 'happened_at', e.happened_at, 'session_name', e.session_name,
               'turns', e.turns, 'form', e.form)
        from episode e where e.memory_id = {m}.id)
    else (
      select json_object('context', p.context, 'steps', case when json_valid(p.steps) then json(p.steps) else json('[]') end, 'success_count', p.success_count,
               'failure_count', p.failure_count, 'used_at', p.used_at, 'failed_because', p.failed_because)
        from procedure p where p.memory_id = {m}.id)
    end, '{}') as detail

-- name: at_hand(m, k)
-- What is read of a memory that may be told at an act: turn/act.py, Known, in its order. `k` is its kind.
{m}.id, {m}.uid, {m}.kind, {m}.content || coalesce(' (' || {doubt {m}} || ')', '') as content, {m}.path_glob, {m}.priority, {m}.tags, {m}.source, {m}.data, {k}.act_order

-- name: place(conversation, seq)
-- A message's place: its conversation and its seq in one number, so that what stands before and after it is arithmetic.
-- It leaves 24 bits to the seq; a conversation holds 16,777,216 messages.
({conversation} << 24 | {seq})

-- name: origin(m)
-- Where the text of a message came from.
coalesce(nullif({m}.origin, ''), {m}.role)

-- name: says(phrases, text)
-- Whether a text, after a blank, fits one of the patterns that a setting lists: in small letters, or as it stands if
-- the pattern has capitals. Both are made once for all patterns, which is what the limit says.
exists (select 1 from setting said
          join (select ' ' || {text} as plain, lower(' ' || {text}) as small limit 1) text
          join json_each(case when json_valid(said.value) then said.value else '[]' end) phrase
            on case phrase.value when lower(phrase.value) then small else plain end glob phrase.value
         where said.name = '{phrases}')

-- name: allowed(considered, share)
-- How many memories one run may archive or merge. A small space may always ten; a share of 0 allows none.
case {share} when 0 then 0 else max(10, cast({considered} * {share} as integer)) end

-- name: conversation_of(place)
-- The conversation of a place.
({place} >> 24)

-- name: unspaced(text)
-- Whether a text has letters of a script that puts no blanks between words. Each range costs time at each sign: most texts
-- have no sign of more than a byte, or none near those letters.
(case when length({text}) = length(cast({text} as blob)) or not {text} glob '*[ก-៿々-﫿ｦ-ﾝ𠀀-𱍏]*' then 0
      else {unspaced_letter {text}} end)

-- name: unspaced_letter(text)
-- The same of a letter: of Thai and its neighbours, Han, kana, Hangul.
({text} glob '*[ก-໿က-႟ᄀ-ᇿក-៿々-〇぀-ヿㄅ-ㄯㇰ-ㇿ㐀-䶿一-鿿가-힣豈-﫿ｦ-ﾝ𠀀-𱍏]*')

-- name: pairs(text)
-- A text in which the letters of such scripts stand in pairs, "abc" as "ab bc c", so that an index finds parts of words. A
-- vowel sign of Thai and its neighbours is no letter. A row holds what is left of 512 letters, and the letter before.
(with recursive pairing (rest, at, last, word) as (
    select substr({text} || ' ', 1, 512), 1, '', ''
     union all
    select case when length(rest) > 1 then substr(rest, 2) else substr({text} || ' ', at + 1, 512) end, at + 1,
           case when {vowel_sign rest} then last when {unspaced_first rest} then substr(rest, 1, 1) else '' end,
           case when {vowel_sign rest} then ''
                when {unspaced_first rest} then case last when '' then ' ' else last || substr(rest, 1, 1) || ' ' end
                else last || case last when '' then '' else ' ' end || substr(rest, 1, 1) end
      from pairing where rest <> '')
  select group_concat(word, '') from pairing)

-- name: unspaced_first(text)
-- Whether a text begins with such a letter; most are of Han.
({text} >= 'ก' and ({text} >= '㐀' and {text} < 'ꀀ' or {unspaced_letter substr({text}, 1, 1)}))

-- name: vowel_sign(text)
-- Whether a text begins with a sign of Thai, Lao, Burmese or Khmer that is no letter.
({text} >= 'ก' and {text} < '᠀' and {text} glob '[ัิ-฿็-๏ັິ-ຼ່-໏ါ-ှ၊-၏ၖ-ၙၞ-ၠၢ-ၤၧ-ၭၱ-ၴႂ-ႍႏႚ-႟឴-៖៘-៛៝]*')

-- name: seq_of(place)
-- The seq of a place.
({place} & 16777215)

-- name: merging(x)
-- The pairs that the job under way has tied together; empty between jobs.
(select l.from_id as winner_id, l.to_id as loser_id
    from context c
    cross join change h on h.run = c.run and h.record = 'link' and h.action = 'insert'
    cross join link l on l.id = cast(h.row_key as integer) and l.relation = 'merged_from') {x}

-- name: session_of(x)
-- The occasion to which an episode belongs: its session, else its day. A burst within one occasion is no recurrence.
(select e.memory_id, e.happened_at, e.form, lower(e.outcome) as outcome,
         case e.session_name when '' then cast(e.happened_at / 86400000 as text) else e.session_name end as occasion
    from episode e) {x}

-- name: seen_or_told(x)
-- Episodes within the lookback that count as evidence: seen or told by somebody, not inferred by a night.
(select m.id as memory_id, m.uid, m.content, m.tags, {data m} as data, m.runtime, m.user, m.project, o.occasion, o.outcome, o.happened_at
    from context c
    cross join {session_of o} on o.happened_at > {lookback c.last_at} and o.happened_at <= c.last_at
    cross join memory m on m.id = o.memory_id
   where m.state = 'active' and m.session = '' and m.source in ('user_explicit', 'observed', 'tool')
     and o.form <> 'narrative' and json_extract({data m}, '$.commit') is null) {x}

-- name: trial(x)
-- Episodes that name a procedure, by a tag or in data, and tell how it went, and are not yet counted for it.
(select p.id as procedure_id, t.memory_id as episode_id, t.happened_at,
         t.outcome glob 'succe*' as is_success
    from (select t.*, j.value as name from {seen_or_told t}, json_each(t.tags) j
          union
          select t.*, json_extract(t.data, '$.procedure') from {seen_or_told t}) t
    cross join memory p indexed by memory_by_key on p.key = t.name and p.key <> '' and p.layer = 'procedural' and p.state in ('candidate', 'active')
     and p.runtime in ('', t.runtime) and p.user in ('', t.user) and p.project in ('', t.project)
   where (t.outcome glob 'succe*' or t.outcome glob 'fail*' or t.outcome glob 'error*')
     and not exists (select 1 from link l where l.from_id = p.id and l.relation = 'evidence' and l.to_id = t.memory_id)) {x}

-- name: confirmed(x)
-- Candidates that were said again in another conversation: enough to show them, unless a person must assert their kind.
(select m.id as memory_id
    from memory m join kind k on k.name = m.kind and k.needs_person = 0
   where m.state = 'candidate' and m.source = 'observed'
     and (select count(distinct g.conversation_id) from link l join message g on g.id = l.message_id
           where l.from_id = m.id and l.relation = 'evidence') >= 2) {x}

-- name: ref(i)
-- Whom an item of a turn's JSON names. One in `shown` is [ref, layer, tokens, was_useful]; in `items` of a weighing follow
-- position, stage, strength, relevance, score, chance. What was shown has no stage; what is missing at the end is null.
({i}.value ->> 0)

-- name: marked(i, useful)
-- Such an item with a host's word on it.
json_array({i}.value ->> 0, {i}.value ->> 1, {i}.value ->> 2, {useful}, {i}.value ->> 4, {i}.value ->> 5, {i}.value ->> 6,
  {i}.value ->> 7, {i}.value ->> 8, {i}.value ->> 9)

-- name: prompt_of(a)
-- What a turn was asked: its own row has the beginning, its weighing or its conversation the rest.
coalesce((select nullif(w.prompt, '') from weighing w where w.activation_id = {a}.id),
  case when length({a}.prompt) >= 32 and {a}.session <> '' then
    (select g.text from conversation c cross join message g on g.conversation_id = c.id and g.role = 'user'
        and g.said_at between {a}.activated_at - 120000 and {a}.activated_at + 120000 and substr(g.text, 1, 32) = {a}.prompt
      where (c.name, c.runtime, c.user, c.project) = ({a}.session, {a}.runtime, {a}.user, {a}.project) limit 1) end,
  {a}.prompt)

-- name: day(at)
-- The day of an instant, as people write it: 4 May 2027.
(ltrim(strftime('%d', {at} / 1000, 'unixepoch'), '0')
   || rtrim(substr(' January   February  March     April     May       June      July      August    September October   November  December  ',
                   10 * strftime('%m', {at} / 1000, 'unixepoch') - 9, 10))
   || strftime(' %Y', {at} / 1000, 'unixepoch'))

-- name: chance(p)
-- The chance that a procedure works: its tries, of which later ones count more, and one of each kind that nobody saw.
((1.0 + {p}.recent_successes) / (2.0 + {p}.recent_successes + {p}.recent_failures))

-- name: keeps_failing(p)
-- A procedure that is no way to do it any more: it failed twice or more, and is twice as likely to fail as to work.
({p}.failure_count >= 2 and {chance {p}} < 0.3334)

-- name: gone(l, f)
-- A tie to a fact that is over, or that says something else than when it was tied to.
({f}.superseded_by is not null or {f}.recorded_at > {l}.created_at
  or {f}.valid_to is not null and {f}.valid_to <= (select c.last_at from context c))

-- name: in_doubt(m)
-- A memory that depends on such a fact. Who confirms or changes it cuts the tie.
exists (select 1 from link l indexed by link_by_ground join fact f on f.memory_id = l.to_id
         where l.relation = 'depends_on' and l.from_id = {m}.id and {gone l, f})

-- name: doubt(m)
-- What is said of a memory in doubt: "check: heron was replaced on 4 May 2027"; null of all others.
(select 'check: ' || case l.about when '' then '“' || substr(o.content, 1, 60) || '”' else l.about end
     || case when f.superseded_by is not null or f.valid_to is null and l.about <> '' then ' was replaced on '
          when f.valid_to is null then ' is said since ' else ' was over on ' end
     || {day coalesce(f.valid_to, f.recorded_at)}
   from link l indexed by link_by_ground join fact f on f.memory_id = l.to_id join memory o on o.id = l.to_id
  where l.relation = 'depends_on' and l.from_id = {m}.id and {gone l, f} order by l.id desc limit 1)

-- name: earlier(m)
-- What was said otherwise before, where nobody has settled yet which of the two holds; null of all others. What was said
-- again and again has settled it.
(select 'earlier: ' || substr(o.content, 1, 80) || case when length(o.content) > 80 then '…' else '' end
   from link l join memory o on o.id = l.to_id join fact g on g.memory_id = o.id
  where l.from_id = {m}.id and l.relation = 'contradicts' and o.state = 'active' and o.trust <= {m}.trust and {lasting g}
    and {data m} ->> '$.said' is null
  order by l.id desc limit 1)

-- name: later(m)
-- What a person said otherwise since, where nobody has settled yet which of the two holds; null of all others.
(select 'check: “' || substr(n.content, 1, 80) || case when length(n.content) > 80 then '…' else '' end || '” was said on ' || {day n.created_at}
   from link l join memory n on n.id = l.from_id join fact g on g.memory_id = n.id
  where l.to_id = {m}.id and l.relation = 'contradicts' and n.state = 'active' and n.created_at > {m}.reinforced_at
    and n.source in ('user_explicit', 'observed') and {lasting g}
  order by l.id desc limit 1)

-- name: how_it_went(p)
-- How a procedure's tries went: "worked 5 of 6, last 3 May 2027", "failed 9 of 10, last 3 May 2027: no such host".
(case when {p}.used_at is null or {p}.success_count + {p}.failure_count = 0 then null
      when {p}.success_count = 0 or {keeps_failing {p}} then 'failed ' || {p}.failure_count else 'worked ' || {p}.success_count end
   || ' of ' || ({p}.success_count + {p}.failure_count) || ', last ' || {day {p}.used_at}
   || case when {p}.failed_because = '' then '' else case when {p}.success_count = 0 or {keeps_failing {p}} then ': ' else ', which failed: ' end || {p}.failed_because end)

-- name: ending(m, e, p)
-- What ends the line of a memory, in brackets: whose words it is, how an event went and its day, how often a procedure
-- worked, what casts doubt on it, and what was said otherwise before or since. The text of a commit ends with its day.
trim(coalesce(case {m}.layer
    when 'episodic' then case when {data m} ->> '$.who' = 'user' then 'the user, ' else '' end || case {m}.kind
      when 'commit' then {e}.outcome
      else {e}.outcome || case when {e}.outcome <> '' then ', ' else '' end || {day {e}.happened_at} end
    when 'procedural' then {how_it_went {p}}
    else case when {data m} ->> '$.who' = 'user' then 'the user, ' || {day {m}.created_at} end end, '')
  || coalesce('; ' || {doubt m}, '') || coalesce('; ' || case when {m}.layer = 'semantic' then {earlier m} end, '')
  || coalesce('; ' || case when {m}.layer = 'semantic' then {later m} end, ''), '; ')

-- name: ending_of(m)
-- The same where nothing but the memory is at hand.
(select {ending {m}, e, p} from (select 1) one left join episode e on e.memory_id = {m}.id left join procedure p on p.memory_id = {m}.id)

-- name: line_of(m)
-- What makes the line of a memory, beside its text: text/lines.py, line_of.
{m}.layer, {m}.key, (select o.steps from procedure o where o.memory_id = {m}.id) as steps, {ending_of {m}} as ending
