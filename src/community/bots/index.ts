export {
  assertBotOf,
  BotForm,
  createBot,
  deleteBot,
  getBot,
  listBotNames,
  listBots,
  removeBotPhoto,
  renameBot,
  setBotPhoto,
  toBotViewer,
} from "./bots.ts";
export type { Bot } from "./bots.ts";
