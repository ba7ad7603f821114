-- Since when somebody is limited or suspended, and by whom: whoever decided is not to be the only one who looks at it again. Why, and until
-- when, stands with the account.
create table sanctions (
  person_id uuid primary key references people (id) on delete cascade,
  since timestamptz not null,
  given_by uuid references people (id) on delete set null
);

-- Of those that hold, the log knows it.
insert into sanctions (person_id, since, given_by)
select p.id, coalesce(given.at, p.updated_at, p.created_at), giver.id
from people p
left join lateral (
  select a.at, a.actor_id from audit_events a
  where a.object_kind = 'person' and a.object_id = p.id::text and a.act in ('person.limited', 'person.suspended')
  order by a.at desc, a.id desc limit 1) given on true
left join people giver on giver.id = given.actor_id
where p.state in ('limited', 'suspended') or (p.state = 'deactivated' and p.state_reason is not null);
