-- Whom an invitation has let register where nobody else may: as many as it has places. `who_hash` is of its token and of the
-- address, so that who comes again is known again and nobody is named; `person_id` is the id that the registration was told,
-- whether or not there is an account: a place says nothing about whose address has one.
create table invited_registrations (
  invitation_id uuid not null references group_invitations (id) on delete cascade,
  who_hash bytea not null,
  person_id uuid not null,
  at timestamptz not null,
  primary key (invitation_id, who_hash)
);
create index invited_registrations_of_person on invited_registrations (person_id);

-- Those who wait for a human are few of many, and counted wherever somebody looks whether anything waits.
create index people_who_wait on people (id) where state = 'pending_approval';
