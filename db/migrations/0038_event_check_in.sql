-- Check-in: hosts mark who has come to an event.

alter table attendances
  add column checked_in_at timestamptz,
  add column checked_in_by uuid references people (id),
  add constraint attendances_checked_in check ((checked_in_at is null) = (checked_in_by is null));
create index attendances_checked_in_by on attendances (checked_in_by) where (checked_in_by is not null);
comment on column attendances.checked_in_at is 'When a host marked that the person has come; null: not marked.';
