-- What somebody follows is little of all that they have opened.
create index read_states_followed on read_states (person_id, discussion_id) where level in ('watching', 'tracking');
