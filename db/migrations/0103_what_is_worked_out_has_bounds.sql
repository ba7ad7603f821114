-- What programs let be worked out, held to bounds: each is asked once for a value and hands it on, or refuses it by a code of its own.

-- A text that has so many characters at the most.
create function text_within(it text, most integer) returns text language plpgsql immutable strict parallel safe as $$
begin
  if octet_length(it) > most and char_length(it) > most then
    raise exception 'a text has more than % characters', most using errcode = '22001';
  end if;
  return it;
end $$;

-- What has to be there.
create function value_needed(it anyelement, of_column text) returns anyelement language plpgsql immutable parallel safe as $$
begin
  if it is null then
    raise exception 'the column % needs a value', of_column using errcode = '23502', column = of_column;
  end if;
  return it;
end $$;

-- Whether so many bytes are no more than these: there is only one answer.
create function bytes_within(bytes bigint, most bigint) returns boolean language plpgsql immutable parallel safe as $$
begin
  if bytes > most then
    raise exception 'a row has more than % bytes', most using errcode = '54KTH';
  end if;
  return true;
end $$;
