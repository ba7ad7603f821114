-- The address of a secret group must not be the one that its name gives: whoever founds a group of that name gets another
-- address where it is taken, and learns that there is one.
update groups set slug = left(slug, 53) || '-' || right(id::text, 6)
where visibility = 'secret' and slug !~ '-[0-9a-f]{6}$';
