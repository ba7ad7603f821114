-- Groups to discover are read by size, by age and by name, each from its own index. The one by size left secret groups out, and with them
-- those that somebody is invited to: a list that shows these could not use it.
create index groups_by_members on groups (members_count desc, id desc) where state = 'active';
create index groups_by_age on groups (created_at desc, id desc) where state = 'active';
create index groups_by_name on groups (lower(name), id) where state = 'active';
drop index groups_by_size;
