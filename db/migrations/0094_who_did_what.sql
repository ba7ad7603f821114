-- What one person did to others is asked for by itself, of two years of what all did.
create index audit_events_of_actor on audit_events (actor_id, at desc, id desc);
