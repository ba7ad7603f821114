-- What somebody has stored, for their quota; and what belongs to nothing, for clearing away.
create index uploads_of_owner on uploads (owner_id) include (size);
create index uploads_orphaned on uploads (created_at) where attached_kind is null;
create index uploads_by_hash on uploads (hash);
