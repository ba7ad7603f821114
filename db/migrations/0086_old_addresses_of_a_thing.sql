-- A community that leaves tells of each thing under which addresses it was known before.
create index old_addresses_of_thing on old_addresses (thing_id);
