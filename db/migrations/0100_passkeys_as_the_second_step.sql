-- Since when a passkey is asked for after somebody's password, with an app for codes or without one.
alter table people add column passkey_step_at timestamptz;
