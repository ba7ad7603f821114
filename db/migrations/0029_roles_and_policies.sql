-- What programs know of people beyond the community: roles that operators make, properties that their programs add.
create table roles (
  name text primary key check (name ~ '^[A-Za-z][A-Za-z0-9_]{0,63}$'),
  created_at timestamptz not null
);
create table person_roles (
  role text not null references roles (name) on delete cascade,
  person_id uuid not null references people (id) on delete cascade,
  given_at timestamptz not null,
  primary key (role, person_id)
);
create index person_roles_of_person on person_roles (person_id);

-- Properties of people that programs have added, by name; what kind each one is.
create table person_properties (
  name text primary key check (name ~ '^[A-Za-z][A-Za-z0-9_]{0,63}$'),
  type text not null check (type in ('STRING', 'TEXT', 'INT', 'DOUBLE', 'BOOLEAN', 'DATETIME', 'JSON')),
  required boolean not null default false,
  created_at timestamptz not null
);
alter table people
  add column properties jsonb not null default '{}' check (jsonb_typeof(properties) = 'object'),
  -- Passwords that were wrong since the last that was right, and until when none counts; only where the settings want that.
  add column wrong_passwords integer not null default 0,
  add column locked_until timestamptz;
