// Looks at the console in a real, headless browser, by keyboard. Usage: node console.mjs CHROMIUM PICTURES ADDRESS
// COLLECTION INDEX. The store has them, more than a page of records, and a log; CHROMIUM and PICTURES are as for shop.mjs.
import { browse, expect } from './browser.mjs';

const TABS_MAX = 200;
const [program, pictures, address, collection, index] = process.argv.slice(2);
const { browser, page, faults, text, picture } = await browse(program, pictures);

const focused = () => page.evaluate(() => {
  const element = document.activeElement;
  const box = element.getBoundingClientRect();
  return {
    text: element.textContent.trim(),
    name: element.localName,
    role: element.closest('header nav') ? 'section' : '',
    seen: getComputedStyle(element).outlineStyle !== 'none' && box.width > 0 && box.left >= 0,
  };
});

// Presses the tab key until the element with this text, or that any text for null, has the focus.
const tabTo = async (what, wanted) => {
  for (let i = 0; i < TABS_MAX; i++) {
    await page.keyboard.press('Tab');
    const now = await focused();
    expect(`the focus is seen on ${now.name} ${now.text}`, now.name === 'body' || now.seen);
    if (wanted(now)) return now;
  }
  throw new Error('the tab key does not lead to ' + what);
};

const enter = () => Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);

const follow = async (link) => {
  await tabTo(link, (now) => now.name === 'a' && now.text.startsWith(link));
  await enter();
};

// What every page has: one heading, its section marked, names for its regions; and nothing that runs.
const look = async (name, section) => {
  const found = await page.evaluate(() => ({
    headings: document.querySelectorAll('h1').length,
    current: [...document.querySelectorAll('[aria-current=page]')].map((each) => each.textContent),
    scripts: document.querySelectorAll('script, [onclick], iframe, img').length,
    unnamed: document.querySelectorAll('table:not(:has(caption)), nav:not([aria-label]), th:not([scope])').length,
    language: document.documentElement.lang,
  }));
  expect(`${name} has one heading`, found.headings === 1);
  expect(`${name} marks ${section}: ${found.current}`, found.current.join() === section);
  expect(`${name} runs nothing`, found.scripts === 0);
  expect(`${name} names its parts`, found.unnamed === 0 && found.language === 'en');
  await picture(name);
};

const rows = () => page.$$eval('tbody tr', (all) => all.length);

try {
  await page.goto(address);
  await look('overview', 'Overview');
  expect('the first tab skips', (await tabTo('skip', () => true)).text.startsWith('Skip'));
  await page.keyboard.press('Enter');
  expect('skipping leads to the content', (await focused()).name === 'main');
  expect('the next tab is in the content', (await tabTo('tile', () => true)).text.startsWith('Collections'));

  for (const section of ['Collections', 'Logs', 'Clients', 'Backlog', 'Quarantine', 'Cost']) {
    await page.goto(address);
    await tabTo(section, (now) => now.role === 'section' && now.text === section);
    await enter();
    expect(`the page is ${section}`, (await text('h1')) === section);
    await look(section.toLowerCase(), section);
  }

  await page.goto(address + 'collections');
  await follow(collection);
  await look('records', 'Collections');
  const first = await text('tbody th');
  await follow('Next page');
  expect('the next page has other records', (await text('tbody th')) !== first && (await rows()) > 0);
  await follow('First page');
  expect('the first page is first', (await text('tbody th')) === first);
  await follow(first);
  await look('record', 'Collections');
  expect('a record has its value', (await text('pre')).length > 2);
  await follow(collection);
  await follow(index);
  await look('index', 'Collections');
  expect('the index has entries', (await rows()) > 0);

  await page.goto(address + 'logs');
  await tabTo('a log', (now) => now.name === 'a' && now.role === '' && now.text !== 'Penstock' && !now.text.startsWith('Skip'));
  await enter();
  await look('log', 'Logs');
  expect('the log has changes', (await rows()) > 1);
  expect(`the browser complains: ${faults}`, faults.length === 0);

  await page.goto(address + 'nowhere');
  expect('a page that is not there says so', (await text('h1')) === 'Not found');
  console.log('the console was read by keyboard, on a phone and a desktop, light and dark');
} finally {
  await browser.close();
}
