//! Every format is written, cut short and read back.

use std::fs::File;
use std::io::{Cursor, Write};

use kairos_results::*;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;

fn columns() -> Vec<Column> {
    let mut columns = vec![
        Column::varying("x", Kind::Real),
        Column::varying("n", Kind::Integer),
        Column::varying("on", Kind::Boolean),
        Column::varying("a[1, 2]", Kind::Real),
    ];
    columns[0].unit = "m".into();
    columns[0].description = "position".into();
    let like = |name: &str, role: Role| Column { role, ..Column::varying(name, Kind::Real) };
    columns.push(like("p", Role::Constant(Value::Real(2.5))));
    columns.push(like("minus", Role::Alias { of: 0, negated: true }));
    columns.push(like("q", Role::Alias { of: 4, negated: true }));
    columns
}

fn rows(writer: &mut dyn Writer, count: usize) {
    for k in 0..count {
        let t = k as f64 * 0.1;
        writer.push(t, &[t.sin() * 1e-7, k as f64, (k % 2) as f64, 1e300 / (k + 3) as f64], &[]).unwrap();
    }
}

fn check(table: &Table, count: usize, constants: bool) {
    assert_eq!(table.time.len(), count);
    let values = |name: &str| table.values(name).unwrap();
    for k in 0..count {
        let t = k as f64 * 0.1;
        assert_eq!(table.time[k], t);
        assert_eq!(values("x")[k], t.sin() * 1e-7);
        assert_eq!(values("minus")[k], -t.sin() * 1e-7);
        assert_eq!(values("n")[k], k as f64);
        assert_eq!(values("on")[k], (k % 2) as f64);
        assert_eq!(values("a[1,2]")[k], 1e300 / (k + 3) as f64);
        if constants {
            assert_eq!((values("p")[k], values("q")[k]), (2.5, -2.5));
        }
    }
}

#[test]
fn csv_reads_back_exactly() {
    for constants in [false, true] {
        let mut writer = CsvWriter::new(Vec::new(), &columns(), CsvOptions { constants }).unwrap();
        rows(&mut writer, 50);
        writer.finish().unwrap();
        let text = writer.into_inner();
        check(&read_csv(&text[..], None).unwrap(), 50, constants);
        let one = read_csv(&text[..], Some(&["a[1, 2]".to_string()])).unwrap();
        assert_eq!(one.signals.len(), 1);
    }
    let mut writer = CsvWriter::new(Vec::new(), &columns(), CsvOptions::default()).unwrap();
    writer.push(0.0, &[-0.5, 3.0, 1.0, f64::NAN], &[]).unwrap();
    assert!(writer.push(0.0, &[1.0], &[]).is_err());
    writer.finish().unwrap();
    let text = String::from_utf8(writer.into_inner()).unwrap();
    assert_eq!(text, "time,x,n,on,\"a[1, 2]\",minus\n0,-0.5,3,1,NaN,0.5\n");
}

#[test]
fn csv_tells_numbers_that_stay_and_their_signs() {
    let mut columns = vec![Column::varying("x", Kind::Real), Column::varying("n", Kind::Integer)];
    let minus = |of: usize, kind: Kind| Column {
        role: Role::Alias { of, negated: true },
        ..Column::varying(["u", "m"][of], kind)
    };
    columns.extend([minus(0, Kind::Real), minus(1, Kind::Integer)]);
    let mut writer = CsvWriter::new(Vec::new(), &columns, CsvOptions::default()).unwrap();
    for (x, n) in
        [(0.1, 7.0), (0.1, 7.0), (-0.1, -7.0), (0.0, 0.0), (-0.0, -0.0), (1234567.5, 2e6), (-1.5e-300, 12.0)]
    {
        writer.push(1.0, &[x, n], &[]).unwrap();
    }
    writer.finish().unwrap();
    let text = String::from_utf8(writer.into_inner()).unwrap();
    let rows = [
        "0.1,7,-0.1,-7",
        "0.1,7,-0.1,-7",
        "-0.1,-7,0.1,7",
        "0,0,-0,0",
        "-0,0,0,0",
        "1234567.5,2000000,-1234567.5,-2000000",
        "-1.5e-300,12,1.5e-300,-12",
    ];
    let told: Vec<&str> = text.lines().skip(1).map(|line| line.strip_prefix("1,").unwrap()).collect();
    assert_eq!(told, rows);
}

#[test]
fn csv_of_other_tools() {
    let text = "\u{feff}\"time\",\"b\",x, \r\n1,true,2e3,0\r\n0.5,False,-1,0\r\n\r\n";
    let table = read_csv(text.as_bytes(), None).unwrap();
    assert_eq!(table.time, [0.5, 1.0]);
    assert_eq!(table.values("b").unwrap(), [0.0, 1.0]);
    assert_eq!(table.values("x").unwrap(), [-1.0, 2000.0]);
    let cut = read_csv("time,x\n0,1\n1,2\n2".as_bytes(), None).unwrap();
    assert_eq!((cut.time, cut.series), (vec![0.0, 1.0], vec![vec![1.0, 2.0]]));
    for broken in ["x,time\n1,2\n", "time,x\n", "time,x\n1\n", "time,x\n1,2,3\n", "time,x\n1,abc\n", ""] {
        assert!(read_csv(broken.as_bytes(), None).is_err(), "{broken:?}");
    }
}

#[test]
fn mat_is_readable_after_every_flush() {
    let mut writer = MatWriter::new(Cursor::new(Vec::new()), &columns()).unwrap();
    rows(&mut writer, 20);
    writer.flush().unwrap();
    // What comes after a flush may be lost, not what came before.
    writer.push(99.0, &[0.0; 4], &[]).unwrap();
    let bytes = writer.into_inner().into_inner();
    let table = read_mat(&bytes).unwrap();
    check(&table, 20, true);
    assert_eq!(table.signal("x").unwrap().description, "position");
    assert_eq!(table.signal("x").unwrap().unit, "m");
    assert_eq!(table.signal("minus").unwrap().source, Source::Series { index: 0, negated: true });
    for cut in (0..bytes.len()).step_by(37) {
        let _ = read_mat(&bytes[..cut]);
    }
    assert!(read_mat(b"not a result at all, but long enough to look like a header of one ...").is_err());
}

#[test]
fn mat_in_rows_is_read_too() {
    let mut bytes: Vec<u8> = Vec::new();
    let mut matrix = |name: &str, kind: i32, rows: i32, columns: i32, data: &[u8]| {
        for value in [kind, rows, columns, 0, name.len() as i32 + 1] {
            bytes.extend(value.to_le_bytes());
        }
        bytes.extend(name.bytes().chain([0]));
        bytes.extend(data);
    };
    let doubles = |values: &[f64]| values.iter().flat_map(|v| v.to_le_bytes()).collect::<Vec<u8>>();
    let words = |words: [&str; 3]| -> Vec<u8> {
        (0..4).flat_map(|at| words.map(|word| word.as_bytes().get(at).copied().unwrap_or(b' '))).collect()
    };
    let class = ["Atrajectory", "1.1", "", "binNormal"];
    let text: Vec<u8> =
        (0..11).flat_map(|at| class.map(|word| word.as_bytes().get(at).copied().unwrap_or(b' '))).collect();
    matrix("Aclass", 51, 4, 11, &text);
    matrix("name", 51, 3, 4, &words(["time", "x", "p"]));
    matrix("description", 51, 3, 4, &words(["", "ab", ""]));
    let info: Vec<u8> =
        [0, 2, 1, 1, -2, 2, 0, 0, 0, -1, -1, 0].iter().flat_map(|v: &i32| v.to_le_bytes()).collect();
    matrix("dataInfo", 20, 3, 4, &info);
    matrix("data_1", 0, 2, 2, &doubles(&[0.0, 1.0, 7.0, 7.0]));
    matrix("data_2", 0, 3, 2, &doubles(&[0.0, 0.5, 1.0, 3.0, 4.0, 5.0]));
    let table = read_mat(&bytes).unwrap();
    assert_eq!(table.time, [0.0, 0.5, 1.0]);
    assert_eq!(table.values("x").unwrap(), [-3.0, -4.0, -5.0]);
    assert_eq!(table.values("p").unwrap(), [7.0; 3]);
}

#[test]
fn parquet_is_readable_after_every_flush() {
    let path = std::env::temp_dir().join(format!("kairos-results-{}.parquet", std::process::id()));
    let mut columns = columns();
    columns.push(Column::varying("state", Kind::String));
    let mut writer = ParquetWriter::new(File::create(&path).unwrap(), &columns).unwrap();
    for k in 0..30 {
        writer.push(k as f64, &[0.5, k as f64, 1.0, 2.0], &[if k < 3 { "idle" } else { "busy" }]).unwrap();
        if k % 10 == 9 {
            writer.flush().unwrap();
        }
        let reader = SerializedFileReader::new(File::open(&path).unwrap()).unwrap();
        assert_eq!(reader.metadata().file_metadata().num_rows(), (k + 1) / 10 * 10);
    }
    let reader = SerializedFileReader::new(File::open(&path).unwrap()).unwrap();
    let metadata = reader.metadata().file_metadata().key_value_metadata().unwrap().clone();
    assert!(metadata.iter().any(|kv| kv.key == "alias:minus" && kv.value.as_deref() == Some("-x")));
    assert!(metadata.iter().any(|kv| kv.key == "constant:p" && kv.value.as_deref() == Some("2.5")));
    for (k, row) in reader.get_row_iter(None).unwrap().enumerate() {
        let row = row.unwrap();
        let fields: Vec<&Field> = row.get_column_iter().map(|(_, field)| field).collect();
        assert_eq!(fields[0], &Field::Double(k as f64));
        assert_eq!(fields[2], &Field::Long(k as i64));
        assert_eq!(fields[3], &Field::Bool(true));
        assert_eq!(fields[5], &Field::Str(if k < 3 { "idle" } else { "busy" }.into()));
    }
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn parquet_reads_back_exactly() {
    let path = std::env::temp_dir().join(format!("kairos-results-back-{}.parquet", std::process::id()));
    let mut columns = columns();
    columns.insert(1, Column::varying("state", Kind::String));
    columns[7].role = Role::Alias { of: 5, negated: true };
    let mut writer = ParquetWriter::new(File::create(&path).unwrap(), &columns).unwrap();
    for k in 0..50 {
        let t = k as f64 * 0.1;
        let numbers = [t.sin() * 1e-7, k as f64, (k % 2) as f64, 1e300 / (k + 3) as f64];
        writer.push(t, &numbers, &["busy"]).unwrap();
    }
    writer.finish().unwrap();
    let table = read_parquet(File::open(&path).unwrap()).unwrap();
    check(&table, 50, true);
    let x = table.signal("x").unwrap();
    assert_eq!((x.description.as_str(), x.unit.as_str()), ("position", "m"));
    assert!(table.signal("state").is_none());
    std::fs::remove_file(&path).unwrap();
    assert!(read_parquet(File::open(file!()).or_else(|_| File::open("tests/formats.rs")).unwrap()).is_err());
}

#[test]
fn texts_in_csv_are_left_out() {
    let table = read_csv("time,mode,x\n0,idle,1\n1,\"a,b\",2\n".as_bytes(), None).unwrap();
    assert_eq!((table.signals.len(), table.values("x").unwrap()), (1, vec![1.0, 2.0]));
}

#[test]
fn a_file_that_grows_is_flushed_by_itself() {
    struct Counting(u64);
    impl Write for Counting {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0 += bytes.len() as u64;
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let mut writer = CsvWriter::new(Counting(0), &columns(), CsvOptions::default()).unwrap();
    rows(&mut writer, 10_000);
    assert!(writer.into_inner().0 > 300_000);
}

#[test]
fn names_of_literals_come_back() {
    let gear = Column {
        literals: vec!["park".into(), "reverse".into(), "drive".into()],
        description: "chosen".into(),
        ..Column::varying("gear", Kind::Integer)
    };
    let columns = [gear, Column::varying("on", Kind::Boolean)];
    fn fill(writer: &mut dyn Writer) {
        for k in 0..3 {
            writer.push(f64::from(k), &[f64::from(k + 1), f64::from(k % 2)], &[]).unwrap();
        }
        writer.finish().unwrap();
    }
    let check = |signal: Option<&Signal>, on: Option<&Signal>| {
        let signal = signal.expect("the column");
        assert_eq!(signal.literals, ["park", "reverse", "drive"]);
        assert_eq!((signal.description.as_str(), signal.unit.as_str()), ("chosen", ""));
        assert!(on.is_some_and(|on| on.is_boolean && on.literals.is_empty()));
    };
    let mut csv = CsvWriter::new(Vec::new(), &columns, CsvOptions::default()).unwrap();
    fill(&mut csv);
    let mut table = read_csv(Cursor::new(csv.into_inner()), None).unwrap();
    apply_metadata(&mut table, &metadata("r.csv", &columns).expect("something to tell"));
    check(table.signal("gear"), table.signal("on"));
    let folder = std::env::temp_dir().join(format!("kairos-literals-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("r");
    fill(&mut MatWriter::new(File::create(&path).unwrap(), &columns).unwrap());
    let table = read_mat(&std::fs::read(&path).unwrap()).unwrap();
    check(table.signal("gear"), table.signal("on"));
    fill(&mut ParquetWriter::new(File::create(&path).unwrap(), &columns).unwrap());
    let table = read_parquet(File::open(&path).unwrap()).unwrap();
    check(table.signal("gear"), table.signal("on"));
    std::fs::remove_dir_all(folder).unwrap();
}
