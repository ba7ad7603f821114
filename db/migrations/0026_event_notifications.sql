-- Notifications about events, and reminders of them.

alter table notifications drop constraint notifications_object_kind_check;
alter table notifications add constraint notifications_object_kind_check check (object_kind in
  ('discussion', 'conversation', 'group', 'resource', 'person', 'announcement', 'report', 'search', 'event'));

alter table calendar_occurrences
  add column day_reminder_at timestamptz,
  add column hour_reminder_at timestamptz;
comment on column calendar_occurrences.day_reminder_at is 'When people were reminded a day before it.';
comment on column calendar_occurrences.hour_reminder_at is 'When people were reminded an hour before it.';
