-- A number as the text that it is for whoever compares or joins it with texts: whole numbers to the last digit, as far as programs
-- know them exactly (2^53), anything else to fifteen places, as many as they surely know of it.
create function number_as_text(n numeric) returns text language sql immutable strict parallel safe as $$
  select case when n = trunc(n) and abs(n) <= 9007199254740991 then trunc(n)::text
    else trim_scale(round(n, (14 - floor(log(abs(n))))::integer))::text end
$$;
