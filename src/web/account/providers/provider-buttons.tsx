import { urls } from "../../urls.ts";
import { useTranslate } from "../../i18n/index.ts";

/** Returns the name of a provider as people write it, such as "Google" for `google`. */
export const providerName = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

/** Links to sign-in providers. They load a document instead of a route, since they lead to another site. */
export function ProviderButtons({ providers, next }: { providers: string[]; next: string }) {
  const t = useTranslate();
  if (providers.length === 0) return null;
  return (
    <section aria-label={t("Other ways to sign in")} className="mt-5 grid gap-2 border-t border-line pt-5">
      {providers.map((provider) => (
        <a key={provider} href={urls.signInWith(provider, { next })} className="button">
          <i className="icon icon-door-open" />
          {t("Continue with {provider}", { provider: providerName(provider) })}
        </a>
      ))}
    </section>
  );
}
