-- Stored errors are messages with their values, so that a page can show them in any language. Texts of earlier
-- versions become messages without values.
alter table automation_runs alter column fault type jsonb using to_jsonb(fault);
alter table automation_steps alter column words type jsonb using to_jsonb(words);
alter table import_runs alter column trouble type jsonb using to_jsonb(trouble);
