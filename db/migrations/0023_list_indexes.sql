-- Indexes of lists and counts: staff, and one person's membership among many of a group in the same state.

create index people_staff on people (id) where (site_role <> 'member');
drop index memberships_of_group;
create index memberships_of_group on memberships (group_id, state, person_id) include (role);
