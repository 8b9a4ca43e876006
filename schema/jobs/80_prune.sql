-- Let go what settings say may go: turns of the ledger older than ledger_days, finished tasks of that age, and removed
-- memories older than purge_days (0 keeps them). A purged memory leaves its table; the history keeps it and undo brings
-- it back. Only `forget` takes words out of the history. A session without a turn since then keeps its row and its
-- pinned text; the copies of what its prompts held go, and a turn that comes after all freezes them anew.
-- reads: setting, activation, task, memory, session
-- writes: job_run, activation, activation_item, task, memory, fact, episode, procedure, link, session, pending_update
-- period: day
-- needs: clock
-- params: :run, :now, :period, :is_forced

insert into job_run (uid, job, period, started_at, is_forced, considered_count)
select :run, '80_prune', :period, :now, :is_forced, count(*) from memory where state = 'active';

update job_run
   set note = (select count(*) from activation
                where activated_at <= :now - 86400000 * (select cast(value as real) from setting where name = 'ledger_days'))
              || ' turns left the ledger'
 where uid = :run;

delete from activation
 where activated_at <= :now - 86400000 * (select cast(value as real) from setting where name = 'ledger_days');

update session
   set stable = null, frozen_at = null, stable_hash = '', stable_refs = '[]', last_turn = '', last_text = ''
 where (stable is not null or last_text <> '')
   and started_at <= :now - 86400000 * (select cast(value as real) from setting where name = 'ledger_days')
   and not exists (select 1 from activation a where a.session = session.name and a.session <> '');

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
