import {
  getAccount,
  getOwnExport,
  getOwnSanction,
  getPerson,
  latestOwnTexts,
  listOwnPendingProfiles,
  withTexts,
  type OwnSanction,
  listAccessTokens,
  listFieldsToFill,
  listPasskeys,
  listSessions,
  supportsPasskeys,
} from "#community/accounts";
import { listGroups, listGroupsWithoutSuccessor } from "#community/groups";
import { countUnsubscriptions } from "#community/mail";
import { getNotificationSettings } from "#community/notifications";
import { listPushDevices } from "#community/push";
import type { SignedIn } from "#community/rules";
import { notFound } from "#platform/refusal";
import { readQueryParam } from "../../form-parsing.ts";
import type { RequestContext } from "../../request-context.ts";
import type { SettingsPage } from "../../urls.ts";
import { listBlocksAndFilters } from "./blocks-and-filters.ts";

type PageInput = { ctx: RequestContext; me: SignedIn; url: URL };

/** Loads what each page needs in addition to the account. */
const LOADERS = {
  profile: async ({ ctx: { app }, me }: PageInput) => {
    const [{ about }, questions, ownTexts] = await Promise.all([
      getPerson(app.db, me, me.id),
      listFieldsToFill(app.db, me),
      listOwnPendingProfiles(app.db, me),
    ]);
    return { about: about && withTexts(about, latestOwnTexts(ownTexts)), questions, ownTexts };
  },
  account: async () => ({}),
  security: async ({ ctx: { app, sessionId }, me }: PageInput) => {
    const [sessions, passkeys, { staffNeedSecondStep }] = await Promise.all([
      listSessions(app, me),
      listPasskeys(app, me),
      app.settings.get(),
    ]);
    return {
      sessions,
      thisSession: sessionId,
      passkeys,
      supportsPasskeys: supportsPasskeys(app.origin()),
      providers: [...app.signInProviders.keys()],
      staffNeedSecondStep,
    };
  },
  async tokens({ ctx: { app }, me }: PageInput) {
    const [tokens, { rows }] = await Promise.all([
      listAccessTokens(app.db, me),
      listGroups(app.db, me, { tab: "mine" }),
    ]);
    return { tokens, ownGroups: rows.map(({ id, name }) => ({ id, name })) };
  },
  privacy: ({ ctx: { app }, me, url }: PageInput) => listBlocksAndFilters(app.db, me, url),
  notifications: async ({ ctx: { app, now }, me }: PageInput) => {
    const [notices, mailStops, pushDevices] = await Promise.all([
      getNotificationSettings(app.db, me, now),
      countUnsubscriptions(app.db, me),
      listPushDevices(app.db, me),
    ]);
    return { notices, mailStops, pushDevices, vapidKey: app.pushKey };
  },
  appearance: async () => ({ timeZones: Intl.supportedValuesOf("timeZone") }),
  data: async ({ ctx: { app, now }, me }: PageInput) => {
    const [ownExport, ownedGroups] = await Promise.all([
      getOwnExport(app.db, me, now),
      listGroupsWithoutSuccessor(app.db, me),
    ]);
    return { ownExport, ownedGroups };
  },
} satisfies Record<SettingsPage, (input: PageInput) => Promise<object>>;

type PageData<Page extends SettingsPage> = Awaited<ReturnType<(typeof LOADERS)[Page]>>;
/** The name of a page with the data of that page. */
export type SettingsContent = { [Page in SettingsPage]: { page: Page } & PageData<Page> }[SettingsPage];

/** Data of every page: the account, a sanction on it, and the result of the last form. */
export type SettingsBase = {
  account: Awaited<ReturnType<typeof getAccount>>;
  sanction: OwnSanction | null;
  saved: string;
  trouble: string;
  undo: string;
};

/** Props of a form or section of a page: that page's data, and the response to the last form. */
export type SettingsSectionProps<Page extends SettingsPage = never> = {
  data: SettingsBase & ([Page] extends [never] ? object : PageData<Page>);
  answer: unknown;
};

const isSettingsPage = (page: string): page is SettingsPage => Object.hasOwn(LOADERS, page);

/**
 * Loads one page of the viewer's settings; without a name, the first page.
 * @throws `not-found` for an unknown page
 */
export async function loadSettingsPage(
  input: PageInput,
  page = "profile",
): Promise<SettingsBase & { content: SettingsContent }> {
  if (!isSettingsPage(page)) throw notFound();
  const { ctx, me, url } = input;
  const [account, sanction, content] = await Promise.all([
    getAccount(ctx.app.db, me, me.id),
    me.limited ? getOwnSanction(ctx.app.db, me, ctx.now) : null,
    LOADERS[page](input),
  ]);
  return {
    account,
    sanction,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- page and content come from one entry
    content: { page, ...content } as SettingsContent,
    saved: readQueryParam(url, "saved", 40),
    trouble: readQueryParam(url, "trouble", 40),
    undo: readQueryParam(url, "undo", 60),
  };
}
