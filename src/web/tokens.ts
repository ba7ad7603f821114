/** Constants of the interface, each defined once. Times are milliseconds, lengths CSS pixels. */
export const DESIGN_TOKENS = {
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
  /** Delay of the first check for a newer build. */
  buildFirstLook: 1000,
  /** Interval of the later checks for a newer build. */
  buildInterval: 3_600_000,
  /** Minimum interval between two reloads of a page because of chunks that fail to load. */
  chunkReloadPause: 10_000,
  /** How long a connection may be lost before the page shows it. */
  lineGrace: 4_000,
  /** Minimum interval between two typing signals that a page sends. */
  typingPause: 4_000,
  /** How long a typing indicator is shown after a signal. */
  typingLasts: 7_000,
  /** Delay for batching live changes of a discussion. */
  liveGather: 250,
  /** Delay for batching changes of counters. */
  liveFigures: 3_000,
  /** Minimum interval between two announcements to screen readers. */
  liveSummary: 10_000,
  /** Number of pending errors that are sent at once. */
  errorBatch: 10,
  /** Delay before pending errors are sent. */
  errorFlush: 1000,
  /** Maximum number of pending errors; beyond it, the oldest errors are dropped. */
  errorsKept: 1000,
} as const;
