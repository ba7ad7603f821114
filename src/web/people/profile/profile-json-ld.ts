import type { Profile } from "#community/accounts";
import { urls } from "../../urls.ts";

/** Structured data of a public profile for search engines. */
export const profileJsonLd = (person: Profile, excerpt: string, origin: string) => ({
  "@context": "https://schema.org",
  "@type": "ProfilePage",
  dateCreated: person.joinedAt.toISOString(),
  mainEntity: {
    "@type": "Person",
    "@id": origin + urls.person(person.id),
    name: person.name,
    alternateName: person.username,
    identifier: person.id,
    ...(excerpt && { description: excerpt }),
    ...(person.photoId && { image: origin + urls.picture(person.photoId) }),
  },
});
