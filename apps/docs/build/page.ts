/** One page of the site. Its Markdown file stands at `path` + `.md`, its HTML at `path` + `/`. */
export interface Page {
  readonly path: string;
  readonly title: string;
  /** One sentence for search engines and llms.txt. */
  readonly description: string;
  /** The Markdown below the title. Links lead to Markdown files, relative to this one. */
  readonly text: string;
  /** Whether the page uses the whole width, without a list of its sections. */
  readonly wide?: boolean;
  /** Further words under which the search finds the page. */
  readonly keywords?: readonly string[];
}
