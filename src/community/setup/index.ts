export { CommunitySetup, setUpCommunity } from "./set-up-community.ts";
export { dismissSetupChecklist, getSetupChecklist } from "./setup-checklist.ts";
export type { SetupChecklist } from "./setup-checklist.ts";
