/** The interface's fixed numbers, each once, by name. Times are milliseconds, lengths CSS pixels. */
export const TOKENS = {
  menuMaxHeight: 310,
  tablePageSize: 10,
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
  pageSize: 10,
  /** A draft is kept so long after the last key. */
  draftPause: 1500,
  /** The first look for a newer build after the start, and how often from then on. */
  buildFirstLook: 1000,
  buildInterval: 3_600_000,
  /** A chunk that fails to load reloads its page at most once in this time. */
  chunkReloadPause: 10_000,
  /** How long a navigation may wait for rendering. */
  navigationWait: 100,
  /** Errors go in batches of so many, or after so long; more than so many are not kept. */
  errorBatch: 10,
  errorFlush: 1000,
  errorsKept: 1000,
} as const;
