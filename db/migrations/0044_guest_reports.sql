-- Guests report content too. A report of a guest counts once its address is confirmed: then it gets a row in
-- reports, without a reporter, and a case like any other.

alter table reports
  add column by_guest boolean not null default false,
  drop constraint reports_automatic_check,
  add constraint reports_reporter_check check (
    num_nonnulls(reporter_id, text_digest) + by_guest::integer = 1 and (reporter_id is not null or not appeal));
comment on column reports.reporter_id is
  'Null: a guest reported (by_guest), or the report is automatic, and its reason names the watched words.';
comment on column reports.by_guest is 'The reporter is in guest_reports.';

create table guest_reports (
  id uuid primary key,
  token_hash bytea not null unique,
  kind text not null check (kind in ('post', 'person', 'resource', 'group')),
  subject_id uuid not null,
  name text not null check (char_length(name) between 1 and 100),
  email text not null check (char_length(email) <= 320),
  locale text not null,
  category text not null,
  law text not null check (char_length(law) <= 200),
  reason text not null check (char_length(reason) between 1 and 2000),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  confirmed_at timestamptz,
  report_id uuid unique references reports (id) on delete cascade,
  check ((confirmed_at is null) = (report_id is null))
);
create index guest_reports_of_address on guest_reports (subject_id, lower(email));
create index guest_reports_unconfirmed on guest_reports (expires_at) where (report_id is null);
comment on table guest_reports is
  'Reports by guests. Unconfirmed ones are deleted after two days, confirmed ones with their report.';
comment on column guest_reports.token_hash is 'SHA-256 of the token in the link, which confirms and shows the status.';
comment on column guest_reports.subject_id is 'No foreign key: the report outlives its subject.';
