-- Who got an invitation said no to it, as against somebody taking it back.
alter table group_invitations add column declined_at timestamptz check (declined_at is null or revoked_at is not null);
update group_invitations i set declined_at = revoked_at from people p
where i.kind = 'address' and p.id = i.revoked_by and lower(p.email) = lower(i.email);
update group_invitations set declined_at = revoked_at
where kind = 'person' and revoked_by = person_id and exists (
  select from memberships m where m.group_id = group_invitations.group_id and m.person_id = group_invitations.person_id and m.state = 'refused');
