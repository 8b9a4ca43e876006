-- Let go what settings say may go: what turns weighed after a third of ledger_days (that they left a memory out is counted,
-- and a prompt that no conversation holds goes into the turn); turns older than ledger_days, finished tasks of that age, and
-- removed memories older than purge_days (0 keeps them). A purged memory leaves its table; the history keeps it and undo
-- brings it back. Only `forget` takes words out of the history. A session without a turn since then keeps its row and its
-- pinned text; the copies of what its prompts held go, and a turn that comes after all freezes them anew.
-- reads: setting, activation, weighing, conversation, message, task, memory, session
-- writes: job_run, activation, weighing, left_out_before, task, memory, fact, episode, procedure, link, session, pending_update
-- period: day
-- needs: clock
-- params: :run, :now, :period, :is_forced

insert into job_run (uid, job, period, started_at, is_forced, considered_count)
select :run, '80_prune', :period, :now, :is_forced, count(*) from memory where state = 'active';

update job_run
   set note = (select count(*) || case count(*) when 1 then ' turn' else ' turns' end || ' left the ledger' from activation
                where activated_at <= :now - 86400000 * (select cast(value as real) from setting where name = 'ledger_days'))
 where uid = :run;

insert into left_out_before (ref, times)
select {ref i}, count(*)
  from weighing w, json_each(w.items) i
 where w.activated_at <= :now - 86400000 * (select cast(value as real) / 3 from setting where name = 'ledger_days')
   and i.value ->> 5 is not null and {ref i} glob 'mem_*'
 group by 1
on conflict (ref) do update set times = times + excluded.times;

update activation
   set prompt = (select w.prompt from weighing w where w.activation_id = activation.id)
 where id in (select w.activation_id from weighing w
               where w.prompt <> ''
                 and w.activated_at <= :now - 86400000 * (select cast(value as real) / 3 from setting where name = 'ledger_days'))
   and not exists (select 1 from conversation c
                    cross join message g on g.conversation_id = c.id and g.role = 'user'
                     and g.said_at between activation.activated_at - 120000 and activation.activated_at + 120000
                     and substr(g.text, 1, 32) = activation.prompt
                   where activation.session <> ''
                     and (c.name, c.runtime, c.user, c.project)
                       = (activation.session, activation.runtime, activation.user, activation.project));

delete from weighing
 where activated_at <= :now - 86400000 * (select cast(value as real) / 3 from setting where name = 'ledger_days');

delete from activation
 where activated_at <= :now - 86400000 * (select cast(value as real) from setting where name = 'ledger_days');

update session
   set stable = null, frozen_at = null, stable_hash = '', stable_refs = '[]', last_turn = '', last_text = ''
 where (stable is not null or last_text <> '')
   and started_at <= :now - 86400000 * (select cast(value as real) from setting where name = 'ledger_days')
   and not exists (select 1 from weighing w where w.session = session.name and w.session <> '');

delete from pending_update
 where shown_at <= :now - 86400000 * (select cast(value as real) from setting where name = 'ledger_days');

delete from task
 where state in ('done', 'dead')
   and coalesce(done_at, created_at) <= :now - 86400000 * (select cast(value as real) from setting where name = 'ledger_days');

delete from memory -- if: select exists (select 1 from memory where state = 'deleted')
 where state = 'deleted'
   and updated_at <= :now - 86400000 * (select cast(value as real) from setting where name = 'purge_days')
   and exists (select 1 from setting where name = 'purge_days' and cast(value as real) > 0);

update job_run
   set finished_at = :now, changed_count = (select count(distinct uid) from change where run = :run)
 where uid = :run;
