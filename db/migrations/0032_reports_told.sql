-- Those who look after the place are told of a report, and whoever made it of how it ended.
alter table notifications drop constraint notifications_object_kind_check;
alter table notifications add constraint notifications_object_kind_check
  check (object_kind in ('discussion', 'conversation', 'group', 'resource', 'person', 'announcement', 'report'));
