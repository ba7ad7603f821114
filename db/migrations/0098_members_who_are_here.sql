-- Whoever has closed their account keeps their place in a group until they come back, or for good, and is no member that is counted.
update groups g set members_count = here.count
from (select x.id, count(p.id)::int as count
      from groups x left join memberships m on m.group_id = x.id and m.state = 'member'
      left join people p on p.id = m.person_id and p.state not in ('deactivated', 'erased')
      group by x.id) here
where here.id = g.id and g.members_count <> here.count;
