-- Reports have a category, and guests can report. Categories are defined in the site settings, so that the id here is
-- plain text. A guest's report is in guest_reports until its address is confirmed; then each piece of content gets a
-- row in reports, as with members.

alter table reports
  add column category text not null default 'other' check (category ~ '^[a-z0-9-]{1,40}$'),
  add column law text not null default '' check (char_length(law) <= 200);
comment on column reports.law is 'For illegal content: country and law, as the reporter named them.';

create table guest_reports (
  id uuid primary key,
  name text not null check (char_length(name) <= 100),
  email text not null check (char_length(email) <= 320),
  locale text not null,
  category text not null,
  law text not null default '' check (char_length(law) <= 200),
  reason text not null check (char_length(reason) <= 2000),
  target_kind text not null check (target_kind in ('post', 'person', 'resource', 'group')),
  target_ids uuid[] not null check (cardinality(target_ids) between 1 and 20),
  created_at timestamptz not null,
  confirmed_at timestamptz
);
create index guest_reports_unconfirmed on guest_reports (created_at) where (confirmed_at is null);
create index guest_reports_of_address on guest_reports (lower(email), created_at) where (email <> '');
comment on table guest_reports is 'Reports by people without an account.';
comment on column guest_reports.email is
  'Empty if it was deleted, and where the law requires neither name nor address.';
comment on column guest_reports.target_ids is
  'No foreign keys: what is gone when the address is confirmed is left out.';

alter table reports
  alter column reporter_id drop not null,
  add column guest_report_id uuid references guest_reports (id) on delete cascade,
  add constraint reports_one_reporter check (num_nonnulls(reporter_id, guest_report_id) = 1);
create index reports_of_guest on reports (guest_report_id) where (guest_report_id is not null);
