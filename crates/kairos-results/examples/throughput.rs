//! Writes many rows in each format and prints the speed: `throughput DIRECTORY ROWS`.

use std::fs::File;
use std::io::BufWriter;
use std::path::Path;
use std::time::Instant;

use kairos_results::*;

fn main() -> std::io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let (Some(directory), Some(Ok(rows))) = (arguments.next(), arguments.next().map(|n| n.parse::<u64>()))
    else {
        eprintln!("throughput DIRECTORY ROWS");
        return Ok(());
    };
    let mut columns: Vec<Column> = (0..4).map(|i| Column::varying(format!("x[{i}]"), Kind::Real)).collect();
    columns
        .push(Column { role: Role::Alias { of: 0, negated: true }, ..Column::varying("minus", Kind::Real) });
    columns.push(Column { role: Role::Constant(Value::Real(9.81)), ..Column::varying("g", Kind::Real) });
    let file = |name: &str| File::create(Path::new(&directory).join(name));
    let writers: Vec<(&str, Box<dyn Writer>)> = vec![
        ("csv", Box::new(CsvWriter::new(file("out.csv")?, &columns, CsvOptions::default())?)),
        ("mat", Box::new(MatWriter::new(BufWriter::new(file("out.mat")?), &columns)?)),
        ("parquet", Box::new(ParquetWriter::new(file("out.parquet")?, &columns)?)),
    ];
    for (name, mut writer) in writers {
        let clock = Instant::now();
        for k in 0..rows {
            let t = k as f64 * 1e-3;
            writer.push(t, &[t * 0.1, 1.0 / (t + 1.0), t * t, (k % 7) as f64], &[])?;
        }
        writer.finish()?;
        println!("{name:<8} {:.2} million rows/s", rows as f64 / clock.elapsed().as_secs_f64() / 1e6);
    }
    Ok(())
}
