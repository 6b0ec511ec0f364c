// A real, headless browser for the tests of pages. Needs puppeteer-core beside the working directory.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const SIZES = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 800 } };
const require = createRequire(process.cwd() + '/');
const load = async (name) => (await import(pathToFileURL(require.resolve(name)))).default;

export const expect = (what, holds) => {
  if (!holds) throw new Error('the pages are wrong: ' + what);
};

const start = async (program) => {
  const puppeteer = await load('puppeteer-core');
  if (program !== '-') return puppeteer.launch({ executablePath: program, args: ['--no-sandbox'] });
  const chromium = await load('@sparticuz/chromium');
  return puppeteer.launch({ args: chromium.args, executablePath: await chromium.executablePath(), headless: 'shell' });
};

// A browser of its own with one page. PROGRAM is a Chromium, or - for that of npm; PICTURES a folder, or -.
export const browse = async (program, pictures) => {
  const browser = await start(program);
  const page = await browser.newPage();
  await page.setViewport(SIZES.desktop);
  const faults = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  const text = (selector) => page.$eval(selector, (element) => element.textContent.trim());

  // Each size, light and dark; and nothing is wider than the screen.
  const picture = async (name) => {
    for (const [size, viewport] of Object.entries(SIZES)) {
      await page.setViewport(viewport);
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(`${name} fits a ${size}: ${width}`, width <= viewport.width);
      for (const scheme of ['light', 'dark']) {
        await page.emulateMediaFeatures([
          { name: 'prefers-color-scheme', value: scheme }, { name: 'prefers-reduced-motion', value: 'reduce' },
        ]);
        if (pictures !== '-') await page.screenshot({ path: `${pictures}/${name}-${size}-${scheme}.png` });
      }
    }
    await page.emulateMediaFeatures([]);
    await page.setViewport(SIZES.desktop);
  };

  return { browser, page, faults, text, picture };
};
