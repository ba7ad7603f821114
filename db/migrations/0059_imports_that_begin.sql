-- Since when an import has been coming in; none has begun that was only looked at, also where looking broke off.
alter table import_runs add column begun_at timestamptz;
update import_runs r set begun_at = coalesce(finished_at, changed_at)
where state in ('running', 'done', 'undoing', 'undone') or exists (select from imported i where i.run_id = r.id);
