-- What a community asks its people to say of themselves. A retired one keeps what was said, and is shown to nobody.
create table profile_fields (
  id uuid primary key,
  label text not null check (char_length(label) between 1 and 40),
  hint text not null default '' check (char_length(hint) <= 200),
  kind text not null check (kind in ('line', 'text', 'link', 'date', 'choice', 'choices')),
  -- What can be chosen, in its order; empty for the other kinds.
  choices text[] not null default '{}',
  -- Who sees what was said, unless its owner chooses otherwise; locked: nobody may show it to more people than that.
  audience text not null check (audience in ('everyone', 'members', 'friends', 'nobody')),
  locked boolean not null default false,
  required boolean not null default false,
  place integer not null,
  created_at timestamptz not null,
  created_by uuid references people (id) on delete set null,
  retired_at timestamptz,
  retired_by uuid references people (id) on delete set null,
  check ((kind in ('choice', 'choices')) = (cardinality(choices) > 0))
);

create table profile_values (
  person_id uuid not null references people (id) on delete cascade,
  field_id uuid not null references profile_fields (id) on delete cascade,
  -- One text; several where several could be chosen.
  said text[] not null check (cardinality(said) between 1 and 50),
  audience text not null check (audience in ('everyone', 'members', 'friends', 'nobody')),
  primary key (person_id, field_id)
);
-- The directory looks for people by what they chose.
create index profile_values_said on profile_values using gin (said);
create index profile_values_of_field on profile_values (field_id);
