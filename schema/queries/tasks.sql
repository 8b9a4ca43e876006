-- Work that waits for a model, and what models cost: called by cogmem/night/tasks.py and calls.py.

-- name: add(uid, purpose, subject, payload, now)
-- Queue a piece of work; while one of the same purpose and subject waits, it adds nothing.
insert into task (uid, purpose, subject, payload, ready_at, created_at)
select :uid, :purpose, :subject, :payload, :now, :now
 where not exists (select 1 from task where purpose = :purpose and subject = :subject
                      and state in ('ready', 'claimed', 'filled'))

-- name: waiting(purpose, subject)
-- The living task of a purpose and subject.
select uid from task where purpose = :purpose and subject = :subject and state in ('ready', 'claimed', 'filled')

-- name: claim(now, lease_ends_at, purposes)
-- Take the next piece of work, also one whose worker let its lease run out; in one statement, so that two never share it.
update task set state = 'claimed', lease_ends_at = :lease_ends_at, attempts = attempts + 1
 where uid = (
   select uid from task
    where (state = 'ready' and ready_at <= :now or state = 'claimed' and lease_ends_at <= :now)
      and (:purposes is null or purpose in (select value from json_each(:purposes)))
    order by ready_at, created_at, uid limit 1)
returning uid, purpose, subject, payload, attempts

-- name: still_mine(uid, attempts)
-- Abort the write unless this attempt still holds the task.
update context set holds = exists (select 1 from task where uid = :uid and state = 'claimed' and attempts = :attempts)
 where id = 1

-- name: fill(uid, result)
-- The model answered.
update task set state = 'filled', lease_ends_at = null, result = :result, error = '' where uid = :uid

-- name: fail(uid, state, error, ready_at, now)
-- It did not work out: once more later, or never again.
update task set state = :state, lease_ends_at = null, error = :error, ready_at = :ready_at,
       done_at = case :state when 'dead' then :now end
 where uid = :uid

-- name: give_back(uid, ready_at, error)
-- Nobody was there to be asked: the attempt does not count.
update task set state = 'ready', lease_ends_at = null, attempts = attempts - 1, ready_at = :ready_at, error = :error
 where uid = :uid

-- name: filled(purposes)
-- Answers waiting to be put in their place.
select uid, purpose, subject, payload, attempts, result from task
 where state = 'filled' and (:purposes is null or purpose in (select value from json_each(:purposes)))
 order by created_at, uid

-- name: still_filled(uid)
-- Abort the write if someone folded this answer meanwhile.
update context set holds = exists (select 1 from task where uid = :uid and state = 'filled') where id = 1

-- name: done(uid, now)
-- The answer is in its place.
update task set state = 'done', done_at = :now where uid = :uid

-- name: dead(uid, error, now)
-- The answer cannot be used.
update task set state = 'dead', done_at = :now, error = :error where uid = :uid

-- name: revive(uid, now)
-- A person gives a dead task another try.
update task set state = 'ready', attempts = 0, ready_at = :now, done_at = null, error = '', result = null
 where uid = :uid and state = 'dead'
returning uid

-- name: list(state, limit)
-- Tasks, the oldest first.
select uid, purpose, subject, state, attempts, ready_at, lease_ends_at, error, created_at, done_at
  from task where :state is null or state = :state order by created_at, uid limit :limit

-- name: spent(since, run)
-- Calls since midnight, and those of one run; what the cap refused cost nothing.
select (select count(*) from model_call where asked_at >= :since and outcome <> 'refused by the cap'),
       (select count(*) from model_call where run = :run and outcome <> 'refused by the cap'),
       (select coalesce(sum(tokens_in), 0) from model_call where asked_at >= :since)

-- name: caps()
-- How many calls a day and a run may make, and how many tokens a day may send.
select (select cast(value as integer) from setting where name = 'model_calls_per_day'),
       (select cast(value as integer) from setting where name = 'model_calls_per_run'),
       (select cast(value as integer) from setting where name = 'model_tokens_per_day')

-- name: within_cap(since, cap, tokens, most_tokens)
-- Abort the write if another process spent the last call or its tokens meanwhile.
update context set holds = (
  (select count(*) < :cap and coalesce(sum(tokens_in), 0) + :tokens <= :most_tokens
     from model_call where asked_at >= :since and outcome <> 'refused by the cap')) where id = 1

-- name: ask(purpose, model, run, tokens, now)
-- A call is entered before it is made, with about the tokens that it sends, so that a killed process cannot spend twice.
insert into model_call (purpose, model, run, tokens_in, outcome, asked_at) values (:purpose, :model, :run, :tokens, 'asked', :now) returning id

-- name: answered(id, tokens_in, tokens_out, elapsed_ms, outcome)
-- What became of a call.
update model_call set tokens_in = :tokens_in, tokens_out = :tokens_out, elapsed_ms = :elapsed_ms, outcome = :outcome
 where id = :id

-- name: spend(since, until)
-- Calls by day, purpose and model, for people who pay for them.
select date(asked_at / 1000, 'unixepoch') as day, purpose, model, count(*) as calls,
       count(*) filter (where outcome = 'ok') as answered,
       sum(tokens_in) as tokens_in, sum(tokens_out) as tokens_out, sum(elapsed_ms) as elapsed_ms
  from model_call
 where asked_at >= :since and (:until is null or asked_at < :until) and outcome <> 'refused by the cap'
 group by day, purpose, model order by day desc, purpose, model

-- name: add_prompt(name, value, meaning)
-- Keep a prompt of one's own in the file.
insert into setting (name, value, meaning) values (:name, :value, :meaning)

-- name: drop_prompt(name)
-- The built-in prompt holds again.
delete from setting where name = :name
