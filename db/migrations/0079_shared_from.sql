-- Newcomers of a group that opens its past read what is written from then on; null: nothing was kept from them before.
alter table groups add column shared_from timestamptz;
alter table groups add constraint groups_shared_from check (shared_from is null or history_policy = 'shared');
-- Nobody looked after what was to come of a group that was archived meanwhile.
update groups set wider_visibility = null, wider_join_policy = null, wider_at = null, wider_by = null where state = 'archived' and wider_at is not null;
