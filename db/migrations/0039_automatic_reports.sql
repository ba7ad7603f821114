-- Watched words of the action "flag": the text is published, and a report without a reporter is made.

alter table watched_words drop constraint watched_words_action_check,
  add constraint watched_words_action_check check (action in ('flag', 'approve', 'block', 'replace'));

alter table reports alter column reporter_id drop not null,
  add column text_digest bytea,
  add constraint reports_automatic_check check (
    (reporter_id is null) = (text_digest is not null) and (text_digest is null or not appeal));
comment on column reports.reporter_id is 'Null: the report is automatic, and its reason names the watched words.';
comment on column reports.text_digest is 'Automatic reports: SHA-256 of the words and the text that has them.';
create unique index reports_automatic on reports (about_id, text_digest) where (text_digest is not null);
