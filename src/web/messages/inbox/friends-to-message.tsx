import type { PersonCard } from "#community/common";
import { PersonRow } from "../../people/person-row.tsx";
import { ButtonLink } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { useTranslate } from "../../i18n/index.ts";

/** Friends to start a conversation with. */
export function FriendsToMessage({ friends }: { friends: PersonCard[] }) {
  const t = useTranslate();
  return (
    <section className="mt-6">
      <h2 className="text-large font-semibold">{t("Your friends")}</h2>
      <ul>
        {friends.map((friend) => (
          <PersonRow
            key={friend.id}
            person={friend}
            actions={
              <ButtonLink to={urls.messages({ to: friend.username })}>
                {t("Message {name}", { name: friend.name })}
              </ButtonLink>
            }
          />
        ))}
      </ul>
    </section>
  );
}
