/** The interface's fixed numbers, each once, by name. Times are milliseconds, lengths CSS pixels. */
export const TOKENS = {
  menuMaxHeight: 310,
  tablePageSize: 10,
  pageSize: 10,
  carouselInterval: 6000,
  systemBarHeight: 24,
  systemBarHeightInWindow: 32,
  textareaRows: 5,
  timelineThickness: 2,
  tabSliderDuration: 225,
  tooltipOffset: 10,
  speedDialOffset: 8,
  speedDialCloseDelay: 100,
  fixedTabsMaxWidth: 300,
  asyncPartDelay: 200,
  /** A draft is kept so long after the last key. */
  draftPause: 1500,
  /** The first look for a newer build after the start, and how often from then on. */
  buildFirstLook: 1000,
  buildInterval: 3_600_000,
  /** A chunk that fails to load reloads its page at most once in this time. */
  chunkReloadPause: 10_000,
  /** A line that broke has so long to come back before the page says so. */
  lineGrace: 4_000,
  /** That somebody is writing is said so often at most, and holds for so long. */
  typingPause: 4_000,
  typingLasts: 7_000,
  /** Changes of a discussion are read together, so long after the first, and mere figures later; what is new is told to who listens this seldom. */
  liveGather: 250,
  liveFigures: 3_000,
  liveSummary: 10_000,
  /** Errors go in batches of so many, or after so long; more than so many are not kept. */
  errorBatch: 10,
  errorFlush: 1000,
  errorsKept: 1000,
} as const;
