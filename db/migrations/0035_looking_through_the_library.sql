-- What somebody chooses in the library is found from an index however little there is of it, the latest first.
create index resources_of_kind on resources (kind, created_at desc, id desc) where state = 'published';
create index resources_in_language on resources (language, created_at desc, id desc) where state = 'published';
create index resources_not_answering on resources (created_at desc, id desc) where state = 'published' and health = 'dead';
