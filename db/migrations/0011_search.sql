-- Search index, saved searches and searches without results.

create sequence search_versions;

create table search_documents (
  id uuid primary key,
  in_index text not null check (in_index in ('people', 'groups', 'discussions', 'posts', 'resources', 'messages')),
  kind text not null default '',
  group_id uuid,
  author_id uuid,
  place_id uuid,
  audience text not null default 'group',
  written_at timestamptz not null,
  number integer,
  title text not null default '',
  names text not null default '',
  tags text[] not null default '{}',
  body text not null default '',
  language text not null default 'en',
  states text[] not null default '{}',
  has text[] not null default '{}',
  likes integer not null default 0,
  comments integer not null default 0,
  members integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  score double precision not null default 0,
  words tsvector not null,
  title_words tsvector,
  version bigint not null
);
create index search_people on search_documents using gin (words) where (in_index = 'people');
create index search_groups on search_documents using gin (words) where (in_index = 'groups');
create index search_discussions on search_documents using gin (words) where (in_index = 'discussions');
create index search_posts on search_documents using gin (words) with (gin_pending_list_limit='512')
  where (in_index = 'posts');
create index search_resources on search_documents using gin (words) where (in_index = 'resources');
create index search_messages on search_documents using gin (words) with (gin_pending_list_limit='512')
  where (in_index = 'messages');
create index search_titles on search_documents using gin (title_words) where (title_words is not null);
create index search_documents_best on search_documents (in_index, score desc, id desc);
create index search_latest on search_documents (in_index, created_at desc, id desc);
create index search_by_author on search_documents (author_id, in_index, created_at desc);
create index search_by_group on search_documents (group_id, in_index, created_at desc);
create index search_by_place on search_documents (place_id);
create index search_by_tag on search_documents using gin (tags) where (tags <> '{}'::text[]);
create index search_documents_reindex_group on search_documents (group_id, id) where (group_id is not null);
create index search_documents_reindex_author on search_documents (author_id, id)
  where (author_id is not null);
comment on table search_documents is 'Search index.';
comment on column search_documents.in_index is 'people, groups, discussions, resources, posts or messages.';
comment on column search_documents.audience is 'Narrowest audience; visibility is checked again when searching.';
comment on column search_documents.score is 'Likes and age, orders large results.';

create table search_words (
  word text collate "C" primary key,
  documents integer not null
) with (fillfactor=50);
comment on table search_words is 'Vocabulary, for typo correction.';

create table search_queue (
  seq bigint generated always as identity primary key,
  what text not null,
  id uuid not null,
  after uuid,
  at timestamptz not null
);
comment on table search_queue is 'Documents that wait for indexing.';

create table search_runs (
  in_index text primary key,
  after uuid,
  filed integer not null default 0,
  asked_at timestamptz not null default now(),
  finished_at timestamptz
);
comment on table search_runs is 'Progress of indexing everything.';

create table recent_searches (
  person_id uuid references people (id) on delete cascade,
  asked text check (char_length(asked) between 1 and 200),
  at timestamptz not null,
  primary key (person_id, asked)
);
create index recent_searches_of_person on recent_searches (person_id, at desc);
comment on table recent_searches is 'Recent searches of people.';

create table saved_searches (
  id uuid primary key,
  person_id uuid not null references people (id) on delete cascade,
  name text not null check (char_length(name) between 1 and 60),
  asked text not null check (char_length(asked) between 1 and 500),
  created_at timestamptz not null,
  notified_until timestamptz,
  next_run_at timestamptz,
  unique (person_id, asked),
  check ((notified_until is null) = (next_run_at is null))
);
create index saved_searches_of_person on saved_searches (person_id, created_at);
create index saved_searches_due on saved_searches (next_run_at) where (next_run_at is not null);
comment on table saved_searches is 'Saved searches.';
comment on column saved_searches.notified_until is 'Content up to then was reported.';
comment on column saved_searches.next_run_at is 'When alerts look again; null: no alerts.';

create table search_misses (
  hash bytea primary key,
  words text,
  times integer not null default 1,
  people integer not null default 1,
  first_at timestamptz not null,
  last_at timestamptz not null
);
create index search_misses_latest on search_misses (people desc, last_at desc);
comment on table search_misses is 'Searches without results.';

create table search_miss_visitors (
  hash bytea references search_misses (hash) on delete cascade,
  who bytea,
  primary key (hash, who)
);
comment on table search_miss_visitors is 'Who searched, as a hash, to count people.';

insert into search_runs (in_index) values ('people'), ('groups'), ('discussions'), ('resources'), ('posts'), ('messages');
