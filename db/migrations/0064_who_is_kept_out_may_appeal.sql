-- Whoever is kept out of a group may ask once that another than who decided so looks at it again. It stands with the ban that it
-- is about, and goes with it.
alter table memberships
  add column banned_by uuid references people (id) on delete set null,
  add column appeal text not null default '' check (char_length(appeal) <= 2000),
  add column appealed_at timestamptz,
  add column appeal_answer text not null default '' check (char_length(appeal_answer) <= 300),
  add column appeal_declined_at timestamptz,
  add check (appealed_at is null or state = 'banned'),
  add check (appeal_declined_at is null or appealed_at is not null);
create index memberships_appealing on memberships (group_id) where appealed_at is not null and appeal_declined_at is null;

-- Who decided so far stands in the log.
update memberships m set banned_by = (
  select p.id from audit_events a join people p on p.id = a.actor_id
  where a.object_kind = 'group' and a.object_id = m.group_id::text and a.act = 'group.banned' and a.details ->> 'personId' = m.person_id::text
  order by a.at desc, a.id desc limit 1)
where m.state = 'banned';
