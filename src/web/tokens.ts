/** Constants of the interface, each defined once. Times are milliseconds, lengths CSS pixels. */
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
  /** Pause after the last keystroke before a draft is saved. */
  draftPause: 1500,
  /** Delay of the first check for a newer build, and the interval of later ones. */
  buildFirstLook: 1000,
  buildInterval: 3_600_000,
  /** Minimum interval between two reloads of a page because of chunks that fail to load. */
  chunkReloadPause: 10_000,
  /** How long a connection may be lost before the page shows it. */
  lineGrace: 4_000,
  /** Minimum interval between typing indicators, and how long one is shown. */
  typingPause: 4_000,
  typingLasts: 7_000,
  /**
   * Delays for batching live changes: of a discussion, of counters, and of announcements to screen readers.
   */
  liveGather: 250,
  liveFigures: 3_000,
  liveSummary: 10_000,
  /** Errors are sent in batches of this size, or after this delay. Beyond the maximum, errors are dropped. */
  errorBatch: 10,
  errorFlush: 1000,
  errorsKept: 1000,
} as const;
